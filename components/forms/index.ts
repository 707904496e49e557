export { leaveWhenSignedOut, TOKEN_KEY } from "@/components/session/session";
export { ActionForm, type ActionFormProps, SubmitButton } from "./action-form";
export { CheckboxField, type Option, RadioField, SelectField, SwitchField } from "./choice-fields";
export {
  type ControlProps,
  Field,
  FieldError,
  type FieldProps,
  useFieldError,
  useFieldMessage,
  useFormBusy,
} from "./field";
export {
  AmountField,
  DateField,
  EmailField,
  NumberField,
  PasswordField,
  PhoneField,
  TextareaField,
  TextField,
  type TextFieldProps,
} from "./text-fields";

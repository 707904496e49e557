export { leaveWhenSignedOut, TOKEN_KEY } from "@/components/session/signed-out";
export { ActionForm, type ActionFormProps } from "./action-form";
export { CheckboxField, type Option, RadioField, SelectField, SwitchField } from "./choice-fields";
export { type ControlProps, Field, FieldError, type FieldProps, useFieldError } from "./field";
export { useFieldMessage } from "./field-message";
export { useFormBusy } from "./form-context";
export { SubmitButton } from "./submit-button";
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

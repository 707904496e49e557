export { ActionForm, SubmitButton } from "./action-form";
export { CheckboxField, type Option, SelectField } from "./choice-fields";
export { FieldError, useFieldError } from "./field";
export {
  AmountField,
  BirthField,
  DateField,
  EmailField,
  PasswordField,
  PhoneField,
  TextareaField,
  TextField,
} from "./text-fields";

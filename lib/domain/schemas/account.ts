import { z } from "zod";

/** An e-mail as the specification has it, lower-cased before it is checked. */
export const emailSchema = z
  .string({ error: "validation.required" })
  .trim()
  .toLowerCase()
  .min(1, "validation.required")
  .max(254, "validation.tooLong")
  .regex(/^[a-z0-9._%+-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}$/, "validation.email");

export const nameSchema = z
  .string({ error: "validation.required" })
  .trim()
  .min(1, "validation.required")
  .max(80, "validation.tooLong")
  .regex(/^[^\p{Cc}<>]*$/u, "validation.text");

/** At least 10 characters; argon2 reads no more than 128. Common ones are refused by the operation. */
export const passwordSchema = z
  .string({ error: "validation.required" })
  .min(10, "validation.passwordShort")
  .max(128, "validation.tooLong");

export const signInSchema = z.object({
  email: emailSchema,
  password: z
    .string({ error: "validation.required" })
    .min(1, "validation.required")
    .max(128, "validation.tooLong"),
});
export type SignIn = z.infer<typeof signInSchema>;

export const forgotPasswordSchema = z.object({ email: emailSchema });
export type ForgotPassword = z.infer<typeof forgotPasswordSchema>;

export const resetPasswordSchema = z.object({
  token: z.string().min(1, "validation.required").max(200, "validation.tooLong"),
  password: passwordSchema,
});
export type ResetPassword = z.infer<typeof resetPasswordSchema>;

export const changePasswordSchema = z.object({
  oldPassword: z
    .string({ error: "validation.required" })
    .min(1, "validation.required")
    .max(128, "validation.tooLong"),
  newPassword: passwordSchema,
});
export type ChangePassword = z.infer<typeof changePasswordSchema>;

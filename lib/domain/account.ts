import { z } from "zod";
import { normalisePhone } from "./contact";
import { idSchema } from "./ids";
import { LOCALES, type Locale, type Role } from "./roles";

/** An e-mail as the specification has it, lower-cased before it is checked. */
export const emailSchema = z
  .string({ error: "validation.required" })
  .trim()
  .toLowerCase()
  .min(1, "validation.required")
  .max(254, "validation.tooLong")
  .regex(/^[a-z0-9._%+-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}$/, "validation.email");

/** A name on one line. Half a surrogate pair is no letter: Postgres takes it for broken JSON. */
export const nameSchema = z
  .string({ error: "validation.required" })
  .trim()
  .min(1, "validation.required")
  .max(80, "validation.tooLong")
  .regex(/^[^\p{Cc}\p{Cs}<>]*$/u, "validation.text");

/** At least 10 characters; argon2 reads no more than 128. Common ones are refused by the operation. */
export const passwordSchema = z
  .string({ error: "validation.required" })
  .min(10, "validation.passwordShort")
  .max(128, "validation.tooLong");

const signInSchema = z.object({
  email: emailSchema,
  password: z
    .string({ error: "validation.required" })
    .min(1, "validation.required")
    .max(128, "validation.tooLong"),
});

/** As an API client signs in: with what it says it is. */
export const logInSchema = signInSchema.extend({ userAgent: z.string().nullish() });

export type LogIn = z.output<typeof logInSchema>;

export const endSessionSchema = z.object({ handle: idSchema });

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

/** What a person may change of their own account; what is left out stays as it is. */
export const updateProfileSchema = z.object({
  firstName: nameSchema.optional(),
  lastName: nameSchema.optional(),
  /** Administrators may do without one: "" takes it away. */
  phone: z
    .string({ error: "validation.type" })
    .trim()
    .max(40, "validation.phone.invalid")
    .transform((text, ctx) => {
      const phone = normalisePhone(text);
      if (phone === null && text !== "") {
        ctx.issues.push({ code: "custom", message: "validation.phone.invalid", input: text });
      }
      return phone;
    })
    .optional(),
  locale: z.enum(LOCALES, "validation.invalid").optional(),
});
export type UpdateProfile = z.output<typeof updateProfileSchema>;
export type UpdateProfileInput = z.input<typeof updateProfileSchema>;

/** A user as they see themselves. */
export type Account = {
  id: string;
  role: Role;
  email: string;
  firstName: string;
  lastName: string;
  phone: string | null;
  locale: Locale | null;
};

/** A live session of the own account. `handle` names it; its id stays a secret of its cookie. */
export type OwnSession = {
  handle: string;
  /** What the browser or client said it is. */
  userAgent: string | null;
  address: string | null;
  createdAt: Date;
  lastSeenAt: Date;
  /** Whether it is the one that asks. */
  current: boolean;
};

const BROWSERS: [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\bOPR\/|\bOpera\b/, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:HeadlessChrome|Chrome|CriOS|Chromium)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
  [/\bcurl\//, "curl"],
];
// The phones first: they name their desktop relatives too.
const SYSTEMS: [RegExp, string, boolean][] = [
  [/\biPhone\b/, "iPhone", true],
  [/\biPad\b/, "iPad", true],
  [/\bAndroid\b/, "Android", true],
  [/\bWindows\b/, "Windows", false],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS", false],
  [/\bCrOS\b/, "ChromeOS", false],
  [/\bLinux\b/, "Linux", false],
];

export type Device = { browser: string | null; system: string | null; handheld: boolean };

/** What a client says it is, in names a person knows; null for each part that cannot be told. */
export function deviceOf(userAgent: string | null): Device {
  const text = userAgent ?? "";
  const system = SYSTEMS.find(([pattern]) => pattern.test(text));
  return {
    browser: BROWSERS.find(([pattern]) => pattern.test(text))?.[1] ?? null,
    system: system?.[1] ?? null,
    handheld: system?.[2] ?? false,
  };
}

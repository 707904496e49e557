import { z } from "zod";
import { normalisePhone } from "@/lib/domain/contact";
import { idSchema } from "@/lib/domain/ids";
import { toLatinDigits } from "@/lib/domain/money";
import { LOCALES } from "@/lib/domain/roles";
import { requiredText } from "@/lib/domain/typed";

/** An e-mail in the form of the specification, lower-cased before it is checked. */
export const emailSchema = z
  .string({ error: "validation.required" })
  .trim()
  .toLowerCase()
  .min(1, { error: "validation.required", abort: true })
  .max(254, "validation.tooLong")
  .regex(/^[a-z0-9._%+-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}$/, "validation.email");

const MAX_NAME = 80;
/** Marks that turn the text around them. Pasted names may have them, and no name needs them; joiners and RLM stay. */
const TURNING_MARKS = /[\u202a-\u202e\u2066-\u2069]/g;
const withoutMarks = (text: string): string => text.replace(TURNING_MARKS, "");
/** One line without brackets and control characters. It excludes lone surrogates, which Postgres rejects as invalid JSON. */
const ONE_LINE = /^[^\p{Cc}\p{Cs}<>]*$/u;

export const nameSchema = z
  .string({ error: "validation.required" })
  .overwrite(withoutMarks)
  .trim()
  .min(1, "validation.required")
  .max(MAX_NAME, "validation.tooLong")
  .regex(ONE_LINE, "validation.text");

/** A second name, such as one in Arabic: as the other, but it may be left out. Arabic letters are not required. */
export const optionalNameSchema = z
  .string({ error: "validation.type" })
  .overwrite(withoutMarks)
  .trim()
  .max(MAX_NAME, "validation.tooLong")
  .regex(ONE_LINE, "validation.text")
  .transform((text) => text || null)
  .nullable()
  .optional();

/** A password of 10 to 128 characters. hashPassword rejects common passwords. */
export const passwordSchema = z
  .string({ error: "validation.required" })
  .min(10, "validation.passwordShort")
  .max(128, "validation.tooLong");

/** A password that is compared with the stored one. */
const givenPassword = requiredText(128);

export const logInSchema = z.object({ email: emailSchema, password: givenPassword });

export const endSessionSchema = z.object({ handle: idSchema });

export const byEmailSchema = z.object({ email: emailSchema });

export const pinSchema = z
  .string("validation.pin")
  .max(100, "validation.pin")
  .transform((text) => toLatinDigits(text).trim())
  .pipe(z.string().regex(/^\d{6}$/, "validation.pin"));

export const resetPasswordSchema = z.object({
  token: z.string().min(1, "validation.required").max(200, "validation.tooLong"),
  password: passwordSchema,
  /** An employee's new PIN. Without it the one before goes. */
  pin: pinSchema.optional(),
});
export type ResetPassword = z.output<typeof resetPasswordSchema>;

export const acceptInvitationSchema = resetPasswordSchema.required({ pin: true });

export const changePasswordSchema = z.object({
  oldPassword: givenPassword,
  newPassword: passwordSchema,
  /** Keeps the PIN for the tills, which goes otherwise. */
  keepPin: z.boolean("validation.type").optional(),
});

/** The fields that users may change on their own account. Absent fields stay unchanged. */
export const updateProfileSchema = z.object({
  firstName: nameSchema.optional(),
  lastName: nameSchema.optional(),
  /** "" removes the phone, which only administrators may do. */
  phone: z
    .string({ error: "validation.type" })
    .trim()
    .max(40, { error: "validation.phone.invalid", abort: true })
    .refine((text) => text === "" || normalisePhone(text) !== null, "validation.phone.invalid")
    .transform(normalisePhone)
    .optional(),
  locale: z.enum(LOCALES, "validation.invalid").optional(),
});
export type UpdateProfile = z.output<typeof updateProfileSchema>;

export const ADMIN_ROLES = ["super_admin", "admin"] as const;

export const inviteAdminSchema = z.object({
  firstName: nameSchema,
  lastName: nameSchema,
  email: emailSchema,
  role: z.enum(ADMIN_ROLES, "validation.invalid"),
});

/** A change of an administrator. Absent fields stay unchanged; `invite` sends the invitation again. */
export const changeAdminSchema = z.object({
  id: idSchema,
  ...inviteAdminSchema.omit({ email: true }).partial().shape,
  active: z.boolean({ error: "validation.type" }).optional(),
  invite: z.boolean({ error: "validation.type" }).optional(),
});
export type ChangeAdmin = z.output<typeof changeAdminSchema>;

/** A live session of the user's own account. `handle` identifies it; the id is a secret of its cookie. */
export type OwnSession = {
  handle: string;
  userAgent: string | null;
  address: string | null;
  createdAt: Date;
  lastSeenAt: Date;
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
// Phones come first: their user agents also name the related desktop system.
const SYSTEMS: [RegExp, string, boolean][] = [
  [/\biPhone\b/, "iPhone", true],
  [/\biPad\b/, "iPad", true],
  [/\bAndroid\b/, "Android", true],
  [/\bWindows\b/, "Windows", false],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS", false],
  [/\bCrOS\b/, "ChromeOS", false],
  [/\bLinux\b/, "Linux", false],
];

/** The browser and the system of a User-Agent header, by their common names; null for an unknown part. */
export function parseUserAgent(userAgent: string | null) {
  const text = userAgent ?? "";
  const system = SYSTEMS.find(([pattern]) => pattern.test(text));
  return {
    browser: BROWSERS.find(([pattern]) => pattern.test(text))?.[1] ?? null,
    system: system?.[1] ?? null,
    handheld: system?.[2] ?? false,
  };
}

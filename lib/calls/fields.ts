import { z } from "zod";
import { computed, fields, nullable, optional } from "./codec";
import { same } from "./names";

/** A merchant's names. `sBusinessNameAr` is null where it has no Arabic one. */
export const merchantNamesFields = {
  sBusinessName: ["businessName", z.string()],
  sBusinessNameAr: ["businessNameAr", z.string().nullable()],
} as const;

export const merchantRef = fields({ _id: ["id", z.string()], ...merchantNamesFields });

export const branchRefFields = {
  _id: ["id", z.string()],
  sBranchName: ["name", z.string()],
  /** Null where the branch has no Arabic name. Absent where only the name is kept. */
  sBranchNameAr: ["nameAr", optional(nullable(z.string()))],
} as const;
export const branchRef = fields(branchRefFields);
export const namedRef = fields({ _id: ["id", z.string()], sName: ["name", z.string()] });

export const personNameFields = {
  sFirstName: ["firstName", z.string()],
  sLastName: ["lastName", z.string()],
} as const;

type Key = string | null;
export const imageUrlOf = computed(z.string().nullable(), (of: { imageKey: Key }, to) =>
  to.imageUrl(of.imageKey),
);
export const logoUrlOf = computed(z.string().nullable(), (of: { logoKey: Key }, to) =>
  to.imageUrl(of.logoKey),
);
export const signupUrlOf = computed(z.string(), (of: { publicId: string }, to) => to.signupUrl(of.publicId));

/** The shop's face: its logo, and its banknote, which has the colour until it is loaded from its path. */
export const faceFields = {
  sLogo: ["logoUrl", optional(logoUrlOf)],
  note: ["note", optional(fields({ sColour: ["colour", z.string()], sPath: ["path", z.string()] }))],
} as const;

/** The specification's letters for the status of a merchant. */
export const STATUS_LETTER = { approved: "A", rejected: "R", pending: "P" } as const;
export const statusLetter = z.enum(["A", "R", "P"]);

export const emailWire = { sEmail: "email" } as const;
export const idParams = same("id");

export const customerParams = { id: "customerId" } as const;

export const existsReply = {
  schema: z.object({ exists: z.boolean() }),
  from: (answer: { exists: boolean }) => answer,
};

export const doneReply = { schema: z.object({}), from: () => ({}) };

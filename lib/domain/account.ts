import type { Locale, Role } from "./roles";

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

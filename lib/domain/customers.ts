export const CUSTOMER_STATUSES = ["active", "blocked", "frozen", "erased"] as const;
export type CustomerStatus = (typeof CUSTOMER_STATUSES)[number];

/** What a list of customers can be sorted by; newest first where nothing is said. */
export const CUSTOMER_SORTS = ["joined", "name"] as const;

/** A customer in a list of staff. */
export type ListedCustomer = {
  id: string;
  publicId: string;
  fullName: string;
  email: string | null;
  phone: string | null;
  /** Points. */
  balance: number;
  /** QAR, as "350.00". */
  cashValue: string;
  status: CustomerStatus;
  registeredAt: Date;
  merchant: { id: string; businessName: string };
};

/** One page of customers; `total` is of the filtered set, at most COUNTED_AT_MOST when a term is searched for. */
export type CustomerList = { customers: ListedCustomer[]; total: number; nextCursor: string | null };

/** What staff see of one customer. */
export type CustomerProfile = ListedCustomer & {
  /** YYYY-MM-DD. */
  dateOfBirth: string | null;
  movements: number;
};

/** A search is as exact as a person needs it: past this many hits it stops counting. */
export const COUNTED_AT_MOST = 1_000;
/** Shorter terms are no search. */
export const SEARCH_LETTERS = 3;

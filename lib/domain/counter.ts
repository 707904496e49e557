/** What the counter knows of a customer: enough to be sure who it is and what they have. */
export type FoundCustomer = {
  id: string;
  publicId: string;
  fullName: string;
  email: string | null;
  phone: string | null;
  balance: number;
  /** QAR with two decimals. */
  cashValue: string;
};

/** A customer whom a search found, with the business that holds the card. */
export type CustomerHit = FoundCustomer & { businessName: string };

export type BranchChoice = { id: string; name: string; city: string };
export type MerchantChoice = { id: string; businessName: string; branches: BranchChoice[] };

/** A customer with the business that holds the card and its open branches. */
export type ServedCustomer = FoundCustomer & {
  dateOfBirth: string | null;
  registeredAt: Date;
  /** Dirhams a point is worth. */
  rate: number;
  merchant: MerchantChoice & { imageKey: string | null; firstName: string; lastName: string };
};

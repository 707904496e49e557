/** A card as its page shows it. */
export type ShownCard = {
  id: string;
  publicId: string;
  fullName: string;
  email: string | null;
  phone: string | null;
  registeredAt: string;
  merchant: {
    id: string;
    businessName: string;
    imageUrl: string | null;
    firstName: string;
    lastName: string;
  };
  isHolder: boolean;
};

/** What changes on it. `qr` is a data URL, `at` the moment (ISO 8601) it was read. */
export type ShownState = {
  balance: number;
  cashValue: string;
  status: "active" | "blocked" | "frozen";
  qr: string;
  at: string;
};

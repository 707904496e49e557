import { toLatinDigits } from "./money";

/** The stored form "+974XXXXXXXX" of a Qatar number, or null. Spaces and copied marks of direction do not count. */
export function normalisePhone(text: string): string | null {
  const match = /^(?:\+?974)?(\d{8})$/.exec(toLatinDigits(text).replace(/[\s\p{Cf}]/gu, ""));
  return match ? `+974${match[1]}` : null;
}

/** A number in the form "+974 XXXX XXXX". Numbers from outside Qatar stay unchanged. */
export function formatPhone(phone: string): string {
  const stored = normalisePhone(phone);
  return stored ? `+974 ${stored.slice(4, 8)} ${stored.slice(8)}` : phone;
}

/** A masked e-mail that its owner still recognises: "la•••@example.com", with the first `shown` letters. */
export function maskEmail(email: string, shown = 2): string {
  const [name = "", host = ""] = email.split("@");
  return `${name.slice(0, shown)}•••@${host}`;
}

/** A masked phone, with its last four digits: "+974 •••• 0207". */
export function maskPhone(phone: string): string {
  return `${normalisePhone(phone) ? "+974 " : ""}•••• ${phone.slice(-4)}`;
}

/** Enough of an address for its owner to recognise it: "la•••@example.com". */
export function maskedEmail(email: string): string {
  const [name = "", host = ""] = email.split("@");
  return `${name.slice(0, 2)}•••@${host}`;
}

/** Copies a text. */
export async function writeToClipboard(text: string): Promise<void> {
  if (navigator.clipboard && window.isSecureContext) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.value = text;
  area.style.position = "fixed";
  area.style.opacity = "0";
  document.body.append(area);
  area.select();
  // Plain http has no Clipboard API, and some shops open the panel at an address in their local network.
  document.execCommand("copy");
  area.remove();
}

/**
 * A signed text as others would try it: one bit of one character changed, at `count` places; and cut off, doubled and
 * padded.
 */
export function tampered(text: string, count = 12): string[] {
  const flips = Array.from({ length: count }, (_, n) => {
    const at = Math.floor((n * text.length) / count);
    const other = String.fromCharCode(text.charCodeAt(at) ^ 1);
    return text.slice(0, at) + (/[\w.~-]/.test(other) ? other : "A") + text.slice(at + 1);
  });
  const cut = [text.slice(0, -1), text.slice(1), text.slice(0, text.length / 2), `${text}A`, text + text];
  return [...flips, ...cut].filter((one) => one !== text);
}

/** The colours of a card: a deep ground in three steps and a light accent, all carrying white text at 4.5:1 or more. */
export type CardColours = { from: string; via: string; to: string; accent: string };

const PALETTE: readonly CardColours[] = [
  { from: "#0b3b3f", via: "#0f5257", to: "#082a30", accent: "#7fe3d4" },
  { from: "#3b1247", via: "#5a1d5e", to: "#2a0c38", accent: "#f3b6e4" },
  { from: "#10284f", via: "#1d4480", to: "#0a1b38", accent: "#9cc7ff" },
  { from: "#4a1420", via: "#7a1f33", to: "#330c17", accent: "#ffbfa8" },
  { from: "#1f2d12", via: "#3d5321", to: "#152009", accent: "#d3e89a" },
  { from: "#3d2208", via: "#6b3d10", to: "#2a1705", accent: "#ffd591" },
  { from: "#1d1b4b", via: "#36318a", to: "#131133", accent: "#bcb8ff" },
  { from: "#1b2430", via: "#344559", to: "#111820", accent: "#bcd4ea" },
];

/** A merchant's own colours, the same at every look: of its id, since its picture may be missing. */
export function cardColours(merchantId: string): CardColours {
  let sum = 0;
  for (const letter of merchantId) sum = (sum * 31 + letter.charCodeAt(0)) >>> 0;
  return PALETTE[sum % PALETTE.length] as CardColours;
}

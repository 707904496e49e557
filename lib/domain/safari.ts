/** Whether a browser is Safari on an iPhone, iPad or Mac, the only one that takes a pass for Apple Wallet. */
export function isAppleSafari(userAgent: string): boolean {
  const apple = /iPhone|iPad|iPod|Macintosh/.test(userAgent);
  const others = /Chrome|Chromium|CriOS|FxiOS|EdgiOS|Edg\/|OPR|OPiOS|DuckDuckGo|Instagram|FBAN|FBAV/;
  return apple && /Safari\//.test(userAgent) && /Version\//.test(userAgent) && !others.test(userAgent);
}

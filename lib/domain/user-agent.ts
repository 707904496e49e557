const BROWSERS: [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\bOPR\/|\bOpera\b/, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:HeadlessChrome|Chrome|CriOS|Chromium)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
  [/\bcurl\//, "curl"],
];
// The phones first: they name their desktop relatives too.
const SYSTEMS: [RegExp, string, boolean][] = [
  [/\biPhone\b/, "iPhone", true],
  [/\biPad\b/, "iPad", true],
  [/\bAndroid\b/, "Android", true],
  [/\bWindows\b/, "Windows", false],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS", false],
  [/\bCrOS\b/, "ChromeOS", false],
  [/\bLinux\b/, "Linux", false],
];

export type Device = { browser: string | null; system: string | null; handheld: boolean };

/** What a client says it is, in names a person knows; null for each part that cannot be told. */
export function deviceOf(userAgent: string | null): Device {
  const text = userAgent ?? "";
  const system = SYSTEMS.find(([pattern]) => pattern.test(text));
  return {
    browser: BROWSERS.find(([pattern]) => pattern.test(text))?.[1] ?? null,
    system: system?.[1] ?? null,
    handheld: system?.[2] ?? false,
  };
}

import formatCompiled from "use-intl/format-message/format-only";

/** Pins Arabic to Latin digits, which `ar` leaves to browsers. next.config.ts swaps it in for use-intl's. */
export default function formatMessage(
  ...[key, message, values, options]: Parameters<typeof formatCompiled>
): ReturnType<typeof formatCompiled> {
  const locale = options.locale.startsWith("ar") ? "ar-u-nu-latn" : options.locale;
  return formatCompiled(key, message, values, { ...options, locale });
}
formatMessage.raw = false;

import formatCompiled from "use-intl/format-message/format-only";

/**
 * Formats a compiled text of the catalogues, numbers and dates of an Arabic one with Latin digits: `ar` alone leaves the
 * digits to the browser. next.config.ts puts it in the place of the library's own function.
 */
export default function formatMessage(
  ...[key, message, values, options]: Parameters<typeof formatCompiled>
): ReturnType<typeof formatCompiled> {
  const locale = options.locale.startsWith("ar") ? "ar-u-nu-latn" : options.locale;
  return formatCompiled(key, message, values, { ...options, locale });
}
formatMessage.raw = false;

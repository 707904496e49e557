"use client";

import { useTranslations } from "next-intl";

/**
 * The common elements in the heads of all pages. React moves them into the head. Next's metadata is in a page
 * twice, as HTML and as data, so it has only the values that differ by page: titles, manifests, referrers.
 */
export function Head() {
  const t = useTranslations("common");
  return (
    <>
      <meta name="theme-color" content="#f8fafc" media="(prefers-color-scheme: light)" />
      <meta name="theme-color" content="#0e131d" media="(prefers-color-scheme: dark)" />
      <meta name="description" content={t("appDescription")} />
      <meta name="application-name" content={t("appName")} />
      <meta name="format-detection" content="telephone=no" />
      <link rel="icon" href="/favicon.ico" sizes="32x32" />
      <link rel="icon" href="/icon.svg" type="image/svg+xml" />
      <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
    </>
  );
}

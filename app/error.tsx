"use client";

import { useLocale } from "next-intl";
import type { ScreenError } from "@/components/errors/error-screen";
import { LazyErrorScreen } from "@/components/errors/lazy-error-screen";

export default function ErrorPage({ error }: { error: ScreenError }) {
  return <LazyErrorScreen error={error} locale={useLocale()} />;
}

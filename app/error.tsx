"use client";

import { useLocale } from "next-intl";
import { ErrorScreen, type ScreenError } from "@/components/errors/error-screen";

export default function ErrorPage({ error }: { error: ScreenError }) {
  return <ErrorScreen error={error} locale={useLocale()} />;
}

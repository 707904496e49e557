"use client";

import { useTranslations } from "next-intl";
import { useCallback } from "react";

const KEY = /^[a-z]\w*(\.\w+)+$/i;

/** A function from a catalogue key such as "validation.email" to its sentence; what is no key stands as it is. */
export function useFieldMessage(): (text: string | undefined) => string | undefined {
  const t = useTranslations();
  return useCallback(
    (text) => (text && KEY.test(text) && t.has(text as never) ? t(text as never) : text || undefined),
    [t],
  );
}

/** The catalogue key for what a schema refuses without words of its own. */
export function issueKey(issue: { code?: string }): string {
  if (issue.code === "invalid_type") return "validation.required";
  if (issue.code === "too_big") return "validation.tooLong";
  if (issue.code === "too_small") return "validation.required";
  return "validation.invalid";
}

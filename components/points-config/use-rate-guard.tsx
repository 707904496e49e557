"use client";

import { useLocale } from "next-intl";
import { type ReactNode, useState } from "react";
import { merchantName } from "@/lib/domain/merchant-name";
import type { Locale } from "@/lib/domain/roles";
import { type ConfigInForce, typedRateSchema } from "@/lib/points-config/model";
import type { AskedRate } from "./rate-sheet";
import type { ConfigActions } from "./rules-view";

type Question = {
  asked: AskedRate;
  answer: (yes: boolean) => void;
  Sheet: typeof import("./rate-sheet").RateSheet;
};

/** Asks for a typed confirmation before another value of a point is sent; `sheet` is where it asks. */
export function useRateGuard(
  config: ConfigInForce,
  impact: ConfigActions["impact"],
): { confirm: (typed: unknown) => Promise<boolean>; sheet: ReactNode } {
  const locale = useLocale() as Locale;
  const [question, setQuestion] = useState<Question | null>(null);
  const confirm = async (typed: unknown) => {
    const parsed = typedRateSchema.safeParse(typed);
    const before = config.dirhamsPerPoint;
    // Do not ask about an invalid rate: the server refuses it, and the field shows the reason.
    if (!parsed.success || parsed.data === before) return true;
    const rate = { dirhamsPerPoint: parsed.data, merchantId: config.merchant?.id };
    const [result, { RateSheet }] = await Promise.all([impact(rate), import("./rate-sheet")]);
    if (!result.ok || result.data.refused) return true;
    return await new Promise<boolean>((done) => {
      const answer = (yes: boolean) => {
        setQuestion(null);
        done(yes);
      };
      setQuestion({ asked: { before, after: parsed.data, impact: result.data }, answer, Sheet: RateSheet });
    });
  };
  const sheet = question && (
    <question.Sheet
      asked={question.asked}
      merchant={config.merchant && merchantName(config.merchant, locale)}
      answer={question.answer}
    />
  );
  return { confirm, sheet };
}

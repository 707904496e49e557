"use client";

import { CoinsIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { AmountHero } from "@/components/counter/amount-hero";
import { AmountPad } from "@/components/counter/amount-pad";
import { BalanceLine } from "@/components/counter/balance-line";
import { MoneyDialog } from "@/components/counter/money-dialog";
import { ModeSwitch } from "@/components/counter/sheet-head";
import { useMoneyForm } from "@/components/counter/use-money-form";
import { Money } from "@/components/data/money";
import { StatCard } from "@/components/data/stat-card";
import { Figures } from "@/components/home/figures";
import { Button } from "@/components/ui/button";
import { formatCount, formatPoints, formatQar } from "@/lib/domain/money";
import { CUSTOMER, useSampleSetting } from "./sample-counter";
import { Row, Section } from "./section";
import { useReader } from "./use-reader";

const HOME = {
  now: { taken: 412_500, cash: 250_000, redeemed: 120_000 },
  before: { taken: 330_000, cash: 200_000, redeemed: 13_200 },
};

/** Tiles of money, and the parts of the counter's sheet. */
export function MoneyParts() {
  const t = useTranslations("showcase");
  const locale = useReader();
  return (
    <Section id="money" title={t("money")}>
      <Figures title={t("owed")} compared={null} now={HOME.now} before={HOME.before} />
      <div className="grid grid-cols-2 gap-3 md:grid-cols-4">
        <StatCard
          label={t("owed")}
          value={formatQar("11173.75", locale)}
          hint={formatPoints(8939, locale)}
          icon={CoinsIcon}
          trend={{ now: 120, before: 100 }}
        />
        <StatCard label={t("points")} value={formatCount(1250)} trend={{ now: 80, before: 100 }} />
      </div>
      <Row label={t("amounts")}>
        <Money points={350} rate={125} />
        <Money points={350} rate={125} signed layout="stack" />
        <Money points={-40} rate={125} signed layout="stack" />
        <Money points={1250} value="1562.50" layout="hero" />
      </Row>
      <Sheet />
    </Section>
  );
}

function Sheet() {
  const t = useTranslations("showcase");
  const setting = useSampleSetting();
  const [open, setOpen] = useState(false);
  const form = useMoneyForm({
    setting,
    mode: "topup",
    customer: CUSTOMER,
    liveCode: null,
    startAmount: "100",
    onPosted: () => undefined,
  });
  const { points } = form.checked;
  return (
    <>
      <div className="flex max-w-md flex-col gap-3 rounded-xl border bg-card p-4 shadow-card">
        <ModeSwitch mode={form.mode} disabled={false} onChange={form.setMode} />
        <AmountHero form={form} customer={CUSTOMER} />
        <AmountPad mode={form.mode} value={form.amount} disabled={false} onChange={form.setAmount} />
        <BalanceLine
          balance={CUSTOMER.balance}
          rate={CUSTOMER.rate}
          change={form.mode === "topup" ? (points ?? 0) : -(points ?? 0)}
        />
      </div>
      <Button variant="outline" className="self-start" onClick={() => setOpen(true)}>
        {t("openSheet")}
      </Button>
      {open && (
        <MoneyDialog
          setting={setting}
          mode="topup"
          customer={CUSTOMER}
          liveCode={null}
          onPosted={() => undefined}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

import { type LucideIcon, WalletCardsIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { RecoverCard } from "@/components/cards/recover-card";
import { CustomerFrame, CustomerNotice } from "@/components/layout/customer-frame";
import { type ButtonProps, LinkButton } from "@/components/ui/button";

/** The page of an address that leads to no card, with a form that mails the links of one's cards. */
export function NoCard({ icon, title, children }: { icon: LucideIcon; title: string; children: ReactNode }) {
  return (
    <CustomerFrame>
      <CustomerNotice icon={icon} title={title} action={<RecoverCard />}>
        {children}
      </CustomerNotice>
    </CustomerFrame>
  );
}

/** Shown after a mailed link was used: leads to this browser's card, or to the page that mails a card's link. */
export function OpenMyCard({
  text = "cardLinks.open.button",
  ...button
}: Pick<ButtonProps, "variant" | "className"> & { text?: "cardLinks.open.button" | "card.recover.have" }) {
  const t = useTranslations();
  return (
    <LinkButton variant="outline" size="xl" href="/customer/loyalty-card" prefetch={false} {...button}>
      <WalletCardsIcon aria-hidden />
      {t(text)}
    </LinkButton>
  );
}

/** For people who already have a card. */
export const FindCard = () => <OpenMyCard variant="ghost" className="mt-3 w-full" text="card.recover.have" />;

import { WalletCardsIcon } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";

/** After a mailed link has done its work: on to the card of this browser, or to the page that mails its link. */
export function OpenMyCard() {
  const t = useTranslations("cardLinks.open");
  return (
    <Button asChild variant="outline" size="xl">
      <Link href="/customer/loyalty-card" prefetch={false}>
        <WalletCardsIcon aria-hidden />
        {t("button")}
      </Link>
    </Button>
  );
}

/** For who has a card already, such as on a new phone: opens the card of this browser, or the page that mails its link. */
export function FindCard() {
  const t = useTranslations("card.recover");
  return (
    <Button asChild variant="ghost" size="xl" className="mt-3 w-full">
      <Link href="/customer/loyalty-card" prefetch={false}>
        <WalletCardsIcon aria-hidden />
        {t("have")}
      </Link>
    </Button>
  );
}

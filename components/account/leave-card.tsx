import { useTranslations } from "next-intl";
import { type SignOut, SignOutButton } from "@/components/panel/sign-out-button";
import { Card, CardContent } from "@/components/ui/card";

/** The way out, where people look for it on a phone. */
export function LeaveCard({ signOut }: { signOut: SignOut }) {
  const t = useTranslations("account.leave");
  return (
    <Card>
      <CardContent className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-muted-foreground text-sm">{t("text")}</p>
        <SignOutButton signOut={signOut} variant="outline" />
      </CardContent>
    </Card>
  );
}

"use client";

import { LogOutIcon } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { clearTab, postSignOut } from "../session/stored-session";

/** Asks a signed-in user who opened a mailed link, perhaps somebody else's, whether to sign out first. */
export function SignOutFirst({ userName, link, home }: { userName: string; link: string; home: string }) {
  const t = useTranslations("auth.signedIn");
  return (
    <div className="flex flex-col gap-4">
      <p>
        {t.rich("text", { name: userName, strong: (words) => <bdi className="font-medium">{words}</bdi> })}
      </p>
      <Button
        size="lg"
        onClick={() => {
          clearTab();
          postSignOut(link);
        }}
      >
        <LogOutIcon className="rtl:-scale-x-100" aria-hidden /> {t("signOut")}
      </Button>
      <Button asChild variant="outline" size="lg">
        <Link href={home}>{t("stay")}</Link>
      </Button>
    </div>
  );
}

"use client";

import Link from "next/link";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { cn } from "@/components/ui/utils";
import { PANELS } from "@/lib/domain/panels";
import { useOwnTill } from "../device/use-own-till";
import { AskTitle, AskWho } from "./ask-who";
import { PairForm } from "./pair-form";
import { pairDevice } from "./till-api";

/** The code in the link of the owner's dialog; a fragment never reaches a server or its log. */
const codeInLink = () => window.location.hash.slice(1).replace(/\D/g, "");

/** The sign-in of a till: its faces, or the form that pairs this browser. `from` is where the cashier goes on. */
export function TillDoor({ from }: { from: string | null }) {
  const t = useTranslations("atTill");
  const { state, refresh } = useOwnTill();
  const [pairing, setPairing] = useState(false);
  const [code, setCode] = useState("");
  useEffect(() => {
    const given = codeInLink();
    if (given === "") return;
    setCode(given);
    setPairing(true);
  }, []);
  const pair = async (digits: string): Promise<string | null> => {
    if (!window.isSecureContext) return t("insecure");
    const answer = await pairDevice(digits);
    if (answer.kind === "refused") {
      if (answer.code === "code_invalid") return t("codeInvalid");
      return answer.message ?? t("lost");
    }
    window.history.replaceState(null, "", window.location.pathname + window.location.search);
    await refresh();
    setPairing(false);
    return null;
  };
  const isOpen = pairing || state.kind === "none";
  const ready = state.kind === "ready" ? state : null;
  return (
    <>
      <div className="flex flex-col gap-1.5 landscape-phone:flex-row landscape-phone:items-baseline landscape-phone:gap-3">
        <h1 className="font-semibold text-2xl tracking-tight landscape-phone:shrink-0 landscape-phone:text-lg">
          {isOpen ? t("pairTitle") : <AskTitle state={state} />}
        </h1>
        <p className={cn("text-pretty text-muted-foreground text-sm", state.kind === "loading" && "min-h-5")}>
          {isOpen && t("pairIntro")}
          {!isOpen && ready && (
            <>
              <bdi>{ready.till.name}</bdi> · <bdi>{ready.till.branch.name}</bdi>
            </>
          )}
        </p>
      </div>
      <div className="mt-6 landscape-phone:mt-2">
        {isOpen ? (
          <>
            <PairForm key={code} initial={code} pair={pair} />
            <p className="mt-2 text-center text-sm">
              <Link
                href="/login?password=1"
                className="inline-flex min-h-11 items-center font-medium text-primary-strong underline-offset-4 hover:underline"
              >
                {t("password")}
              </Link>
            </p>
          </>
        ) : (
          <AskWho
            state={state}
            refresh={refresh}
            onPairAgain={() => setPairing(true)}
            // A full load removes all data of the user who was signed in before.
            onSignedIn={() => window.location.assign(from ?? PANELS.branch_worker.topup)}
          />
        )}
      </div>
    </>
  );
}

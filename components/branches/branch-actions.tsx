"use client";

import { useTranslations } from "next-intl";
import { RowMenu } from "@/components/data/row-menu";
import type { BranchMenuProps } from "./branch-menu";

const load = () => import("./branch-menu");

/** The button of a branch's menu. */
export function BranchActions(props: BranchMenuProps) {
  const t = useTranslations("branches");
  return (
    <RowMenu
      label={t("actionsOf", { name: props.branch.name })}
      load={load}
      menu={({ BranchMenu }, button) => <BranchMenu {...props}>{button}</BranchMenu>}
    />
  );
}

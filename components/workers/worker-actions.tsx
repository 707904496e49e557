"use client";

import { useTranslations } from "next-intl";
import { RowMenu } from "@/components/data/row-menu";
import type { WorkerMenuProps } from "./worker-menu";

const load = () => import("./worker-menu");

/** The button of an employee's menu. */
export function WorkerActions(props: WorkerMenuProps) {
  const t = useTranslations("workers");
  const { firstName, lastName } = props.worker;
  return (
    <RowMenu
      label={t("actionsOf", { name: `${firstName} ${lastName}` })}
      load={load}
      menu={({ WorkerMenu }, button) => <WorkerMenu {...props}>{button}</WorkerMenu>}
    />
  );
}

import { areaLayout } from "@/app/_texts/area-texts";

export default areaLayout("reports");

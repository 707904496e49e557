export { downloadActivity as GET } from "@/app/_panels/downloads";

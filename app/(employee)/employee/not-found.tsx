export { NotFoundScreen as default } from "@/components/errors/message-screen";

"""Shapes of messages: one file a dialect, told apart by content.

A dialect says of one message whether it can read it (`fit`), and reads a list of them into an `Assembly`. Where the
list stands (a file, a log, a trace) is the business of `harness.formats.containers`. They are asked in this order; one
that bears no mark of its own is read as OpenAI's chat, as which plain text reads the same in all.
"""

from __future__ import annotations

DIALECTS: dict[str, str] = {
    "openai-chat": "harness.formats.dialects.openai_chat:OpenAIChat",
    "anthropic-messages": "harness.formats.dialects.anthropic_messages:AnthropicMessages",
    "openai-responses": "harness.formats.dialects.openai_responses:OpenAIResponses",
    "bedrock-converse": "harness.formats.dialects.bedrock_converse:BedrockConverse",
    "gemini-contents": "harness.formats.dialects.gemini_contents:GeminiContents",
    "cohere-chat": "harness.formats.dialects.cohere_chat:CohereChat",
    "genai-parts": "harness.formats.dialects.genai_parts:GenAIParts",
    "langchain": "harness.formats.dialects.langchain:LangChain",
    "pydantic-ai": "harness.formats.dialects.pydantic_ai:PydanticAI",
    "vercel-ai": "harness.formats.dialects.vercel_ai:VercelAI",
    "strands": "harness.formats.dialects.strands:Strands",
    "agentdojo": "harness.formats.dialects.agentdojo:AgentDojo",
    "function-text": "harness.formats.dialects.function_text:FunctionText",
}

"""Tokens: exact counts without a network.

`counter.TokenCounter` counts texts, `profiles.token_profile` says how an API frames them, `prefix.CutCounter`
counts many cuts of one large text, and `vocabulary.find_vocabulary` finds the rank files that everything
rests on.

    counter = open_counter(token_profile("openai-chat-3-3").encoding)
    counter.count("<|endoftext|> is ordinary text")
"""

"""The engine with a language model: a conversation to units, each grounded like the offline engine's.

conversation -> sheet       numbering.numbered_sheet    sentences with numbers, speakers and places
             -> windows     windows.cut_windows         what one question shows, with overlap
             -> questions   windows.window_question     fenced text, prompt file, form
             -> replies     LanguageModel               (inference)
             -> claims      answers.read_claim          one line each; what cannot be read is asked once more
             -> spans       quotes.anchored_span        code finds the quote, the model only points
             -> units       judging.judged              held against their words (faithful, clauses, options)
             -> extraction  engine                      what fails, the offline engine does (beside)
"""

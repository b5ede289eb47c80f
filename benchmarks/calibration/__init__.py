"""Where shipped numbers come from: each script fits one table or threshold, and prints what it is worth."""

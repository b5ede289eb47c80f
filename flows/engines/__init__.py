"""Which engine extracts, and what it costs.

`engine_choice.opened_engine` opens one for a run, `cost_plan.plan_archives` says its price before,
`model_costs.costs` what was spent.
"""

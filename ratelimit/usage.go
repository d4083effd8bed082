package ratelimit

// Usage is how much of a budget is used.
type Usage struct {
	Budget
	Used int // requests under way, or answered less than a window ago
}

// Usage says how much of each budget is used now, in the order of [New]'s budgets. It
// is nil without budgets.
func (l *BudgetLimiter) Usage() []Usage {
	l.queue.mu.Lock()
	defer l.queue.mu.Unlock()
	now := l.queue.now()
	var all []Usage
	for i := range l.budgets.windows {
		w := &l.budgets.windows[i]
		all = append(all, Usage{Budget{w.requests, w.per}, w.requests - w.free(now, l.budgets.stated.underWay)})
	}
	return all
}

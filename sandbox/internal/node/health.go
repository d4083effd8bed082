package node

// healthy is how many slots a node may lag and still be healthy.
const healthy = 128

// health is the text of /health.
func (h *Handler) health() string {
	if h.node.Lag > healthy {
		return "behind"
	}
	return "ok"
}

func (c *call) getHealth() any {
	if lag := c.node.Lag; lag > healthy {
		panic(&callError{Code: unhealthy, Message: fail(unhealthy, "Node is behind by %d slots", lag).Message,
			Data: map[string]uint64{"numSlotsBehind": lag}})
	}
	return "ok"
}

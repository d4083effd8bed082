package sandbox

// smartAccountAck makes the endpoint of a route whose answer carries
// "success", which a test can make false.
func smartAccountAck[In any](b *smartAccount, handler func(*call, In) (map[string]any, error)) endpoint {
	return handle(func(c *call, in In) (any, error) {
		if b.silent > 0 {
			b.silent--
			return b.silentRefusal(c), nil
		}
		answer, err := handler(c, in)
		if err != nil {
			return nil, err
		}
		answer["success"] = true
		return answer, nil
	})
}

// silentRefusal is a no under HTTP 200. What goes with it is not documented.
func (b *smartAccount) silentRefusal(c *call) map[string]any {
	if c.shape(2) == 0 {
		return map[string]any{"success": false}
	}
	return map[string]any{"success": false, "message": "the request was not carried out"}
}

// SmartAccountRefuse makes the smart account service answer the next requests,
// as many as times says, with success false under HTTP 200 and do nothing. It
// counts only requests of routes whose answer has a success field.
func (s *Sandbox) SmartAccountRefuse(times int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.smartAccount.silent = max(0, times)
}

package sandbox

// plainEnvelope is for services whose error body is not documented: a message
// under "error" or, in turn, under "message", so that nothing comes to rely on
// either.
func plainEnvelope(c *call, f *failure) reply {
	if c.turn(string(c.service.name)+" errors", 2) == 0 {
		return reply{body: map[string]any{"error": f.Message}}
	}
	return reply{body: map[string]any{"statusCode": f.Status, "message": f.Message}}
}

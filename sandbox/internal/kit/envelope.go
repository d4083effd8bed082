package kit

// PlainEnvelope is for services whose error body is not documented: a message
// under "error" or, in turn, under "message", so that clients rely on neither.
func PlainEnvelope(c *Call, f *Failure) Reply {
	if c.Turn(string(c.Service.Name)+" errors", 2) == 0 {
		return Reply{Body: map[string]any{"error": f.Message}}
	}
	return Reply{Body: map[string]any{"statusCode": f.Status, "message": f.Message}}
}

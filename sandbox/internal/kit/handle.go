package kit

import (
	"reflect"
)

// Endpoint reads the input of a route and handles well-formed requests.
type Endpoint struct {
	Input  *inputSpec
	invoke func(c *Call, input any) (any, error)
}

// Nothing is the input of a route without parameters or body.
type Nothing struct{}

// Handle makes an endpoint from a handler. The tags of In's fields declare what
// the request may carry; see inputSpec.
func Handle[In, Out any](handler func(c *Call, in In) (Out, error)) Endpoint {
	return Endpoint{
		Input: newInputSpec(reflect.TypeFor[In]()),
		invoke: func(c *Call, input any) (any, error) {
			return handler(c, *input.(*In))
		},
	}
}

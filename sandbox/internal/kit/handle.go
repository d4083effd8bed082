package kit

import (
	"reflect"
)

// Endpoint is what a route does with a request that is well formed.
type Endpoint struct {
	Input  *inputSpec
	invoke func(c *Call, input any) (any, error)
}

// Nothing is the input of a route that takes none.
type Nothing struct{}

// Handle makes an endpoint of a handler. The fields of In say, by their tags,
// what the request may carry; see inputSpec.
func Handle[In, Out any](handler func(c *Call, in In) (Out, error)) Endpoint {
	return Endpoint{
		Input: newInputSpec(reflect.TypeFor[In]()),
		invoke: func(c *Call, input any) (any, error) {
			return handler(c, *input.(*In))
		},
	}
}

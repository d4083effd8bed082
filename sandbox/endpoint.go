package sandbox

import "reflect"

// endpoint is what a route does with a request that is well formed.
type endpoint struct {
	input  *inputSpec
	invoke func(c *call, input any) (any, error)
}

// nothing is the input of a route that takes none.
type nothing struct{}

// handle makes an endpoint of a handler. The fields of In say, by their tags,
// what the request may carry; see inputSpec.
func handle[In, Out any](handler func(c *call, in In) (Out, error)) endpoint {
	return endpoint{
		input: newInputSpec(reflect.TypeFor[In]()),
		invoke: func(c *call, input any) (any, error) {
			return handler(c, *input.(*In))
		},
	}
}

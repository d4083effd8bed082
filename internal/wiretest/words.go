package wiretest

import "github.com/walletfi/walletfi-go/deployment"

// Words are the words of a deployment whose places and shapes are as documented.
type Words struct {
	Headers, Query, Segments, Keys map[string]string
	Values                         map[string]map[string]string
}

// Of returns a deployment in which a service has these words.
func (w Words) Of(service string) *deployment.Deployment {
	return Deployed(service, deployment.Service{
		Headers: w.Headers, Segments: w.Segments,
		Words: deployment.Words{Query: w.Query, Keys: w.Keys, Values: w.Values},
	})
}

// Deployed returns a deployment of one service.
func Deployed(service string, s deployment.Service) *deployment.Deployment {
	return &deployment.Deployment{Services: map[string]deployment.Service{service: s}}
}

package dialect

import (
	"strings"

	"github.com/walletfi/walletfi-go/deployment"
)

// Operation holds the rules of one operation. A nil one is as documented.
type Operation struct {
	// Method is the live HTTP method.
	Method string

	service    *Service
	field      string // in errors
	documented string // route
	route      *route // nil for the documented one
	query      map[string]string
	out, in    table
	extra      extra
	body       []step
	answer     []step
	paging     *paging
}

// methods that a route can have.
var methods = []string{"GET", "POST", "PUT", "PATCH", "DELETE"}

// compileOperation compiles the operation with a documented route, "" for all
// others. common are the service's words.
func (s *Service) compileOperation(
	documented string, common deployment.Words, service string, given deployment.Operation,
) (o *Operation, err error) {
	o = &Operation{service: s, field: service, documented: documented}
	if documented != "" {
		o.field = service + ".operations[" + documented + "]"
		if o.route, err = compileRoute(o.field, documented, given.Route); err != nil {
			return nil, err
		}
		o.Method, _, _ = strings.Cut(documented, " ")
		if o.route != nil {
			o.Method = o.route.method
		}
	}
	if err := o.compileWords(common, service, given.Words); err != nil {
		return nil, err
	}
	if o.extra, err = compileExtra(service, common.Extra, o.field, given.Extra); err != nil {
		return nil, err
	}
	if o.body, err = compileSteps(o.field+".body", given.Body); err != nil {
		return nil, err
	}
	if o.answer, err = compileSteps(o.field+".answer", given.Answer); err != nil {
		return nil, err
	}
	if given.Paging != nil {
		if o.paging, err = compilePaging(o.field+".paging", given.Paging); err != nil {
			return nil, err
		}
	}
	return o, o.checkQuery()
}

// checkQuery refuses live parameters that are there twice, whatever the request.
func (o *Operation) checkQuery() error {
	taken := map[string]string{}
	take := func(name, by string) error {
		if other, ok := taken[name]; ok {
			return problem(o.field, "the parameter %q is that of %s and of %s", name, other, by)
		}
		taken[name] = by
		return nil
	}
	for _, neutral := range inOrder(o.query) {
		if err := take(o.query[neutral], "query."+neutral); err != nil {
			return err
		}
	}
	for _, name := range inOrder(o.extra.query) {
		if err := take(name, "extra.query"); err != nil {
			return err
		}
	}
	for _, p := range o.service.auth {
		if p.in == deployment.InQuery {
			if err := take(p.name, "auth"); err != nil {
				return err
			}
		}
	}
	return nil
}

package onchaindata

// recordScan reads a record around its attributes.
type recordScan struct {
	id, kind string
	links
}

// links are the ids of what a record points to.
type links struct {
	baseToken, quoteToken, dex string
	topPools                   []string
}

// record reads a record. Its attributes are read by attributes, which sees the
// members before them: a type that comes behind is a failure where it is needed.
func (s *scanner) record(attributes func(kind string)) recordScan {
	var r recordScan
	s.space()
	for more := s.open('{'); more; more = s.next('{') {
		switch name := s.key(); name {
		case "id":
			s.string(&r.id)
		case "type":
			s.string(&r.kind)
		case "attributes":
			if !s.null() {
				attributes(r.kind)
			}
		case "relationships":
			if !s.null() {
				s.links(&r.links)
			}
		default:
			s.other(name)
		}
	}
	return r
}

func (s *scanner) links(l *links) {
	for more := s.open('{'); more; more = s.next('{') {
		switch name := s.key(); name {
		case "base_token":
			s.link(&l.baseToken)
		case "quote_token":
			s.link(&l.quoteToken)
		case "dex":
			s.link(&l.dex)
		case "top_pools":
			s.linkList(&l.topPools)
		default:
			s.other(name)
		}
	}
}

// link reads a relationship to one record.
func (s *scanner) link(id *string) {
	if s.null() {
		return
	}
	for more := s.open('{'); more; more = s.next('{') {
		switch name := s.key(); {
		case name != "data":
			s.other(name)
		case *id != "":
			s.fail()
		case !s.null():
			s.reference(id)
		}
	}
}

// linkList reads a relationship to several.
func (s *scanner) linkList(ids *[]string) {
	if s.null() {
		return
	}
	for more := s.open('{'); more; more = s.next('{') {
		switch name := s.key(); {
		case name != "data":
			s.other(name)
		case *ids != nil:
			s.fail()
		case !s.null():
			for more := s.open('['); more; more = s.next('[') {
				id := ""
				s.space()
				s.reference(&id)
				*ids = append(*ids, id)
			}
		}
	}
}

// reference reads {id, type}.
func (s *scanner) reference(id *string) {
	kind := ""
	for more := s.open('{'); more; more = s.next('{') {
		switch name := s.key(); name {
		case "id":
			s.string(id)
		case "type":
			s.string(&kind)
		default:
			s.other(name)
		}
	}
}

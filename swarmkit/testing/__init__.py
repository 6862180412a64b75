"""The conformance kit: the contract of problems and solvers, checked with hypothesis.

    from swarmkit.testing import check_solver
    print(check_solver(MySolver))          # raises ConformanceError, with the whole report, if a check fails

or with pytest, one test per check:

    @solver_checks(MySolver)
    def test_my_solver(check):
        check()
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

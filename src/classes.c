// All built-in classes. A new component is one file and one line here.
//
// SPDX-License-Identifier: Apache-2.0
#include "settee/component.h"

// In the order of the layers; classes that cannot be created are bases.
#define CLASSES(X)                                                                                                     \
    /* the scene itself */                                                                                             \
    X(st_node_class)                                                                                                   \
    X(st_required_plugin_class)                                                                                        \
    /* states and topology */                                                                                          \
    X(st_mechanical_object_class)                                                                                      \
    X(st_mesh_topology_class)                                                                                          \
    X(st_grid_topology_class)                                                                                          \
    X(st_regular_grid_topology_class)                                                                                  \
    /* masses */                                                                                                       \
    X(st_uniform_mass_class)                                                                                           \
    /* forces */                                                                                                       \
    X(st_gravity_class)                                                                                                \
    X(st_constant_force_field_class)                                                                                   \
    X(st_plane_force_field_class)                                                                                      \
    X(st_uniform_velocity_damping_force_field_class)                                                                   \
    X(st_spring_force_field_class)                                                                                     \
    X(st_mesh_spring_force_field_class)                                                                                \
    X(st_regular_grid_spring_force_field_class)                                                                        \
    /* projective constraints */                                                                                       \
    X(st_fixed_projective_constraint_class)                                                                            \
    X(st_partial_fixed_projective_constraint_class)                                                                    \
    /* linear systems and solvers */                                                                                   \
    X(st_matrix_linear_system_class)                                                                                   \
    X(st_matrix_free_system_class)                                                                                     \
    X(st_constant_sparsity_pattern_system_class)                                                                       \
    X(st_cg_linear_solver_class)                                                                                       \
    X(st_sparse_ldl_solver_class)                                                                                      \
    X(st_amd_ordering_method_class)                                                                                    \
    X(st_colamd_ordering_method_class)                                                                                 \
    X(st_natural_ordering_method_class)                                                                                \
    /* integrators */                                                                                                  \
    X(st_euler_explicit_solver_class)                                                                                  \
    X(st_euler_implicit_solver_class)                                                                                  \
    X(st_runge_kutta2_solver_class)                                                                                    \
    X(st_runge_kutta4_solver_class)                                                                                    \
    X(st_central_difference_solver_class)                                                                              \
    X(st_newmark_implicit_solver_class)                                                                                \
    X(st_static_solver_class)                                                                                          \
    X(st_newton_raphson_solver_class)                                                                                  \
    X(st_bdf_ode_solver_class)                                                                                         \
    X(st_variational_symplectic_solver_class)                                                                          \
    X(st_damp_velocity_solver_class)                                                                                   \
    /* animation loops */                                                                                              \
    X(st_default_animation_loop_class)                                                                                 \
    X(st_multi_step_animation_loop_class)                                                                              \
    X(st_multi_tag_animation_loop_class)                                                                               \
    /* engines */                                                                                                      \
    X(st_box_roi_class)

#define DECLARE(name) extern const st_class name;
#define LIST(name) &name,
CLASSES(DECLARE)

extern const st_class *const st_builtin_classes[];
const st_class *const st_builtin_classes[] = {CLASSES(LIST) NULL};
